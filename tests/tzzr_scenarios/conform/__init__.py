"""The kit of ``tzzr conform``: what is right passes every rule, each mistake breaks its own rule and no other."""

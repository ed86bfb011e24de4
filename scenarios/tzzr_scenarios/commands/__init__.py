"""The commands of ``tzzr``, one module each."""

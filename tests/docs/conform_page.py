"""The page about ``tzzr conform``, made from the rules themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tzzr_scenarios.conform.grace import BOOK as GRACE
from tzzr_scenarios.conform.mcp import BOOK as MCP
from tzzr_scenarios.conform.rule import Rule, RuleBook

_MADE = "<!-- made from the code: pytest tests/docs --update-golden -->\n"
_HEAD = """\
# Conformance

`tzzr conform` holds a service to its contract and names every rule that it breaks, with the request that shows it. It
does not matter who wrote the service: the rules come from the published contract, from RunPod's and Directus' documents
and recordings, and from the protocol's revisions, never from this package's code.

| command | what is asked | by |
|---|---|---|
| `tzzr conform grace --url URL --key KEY` | an S-CONTRACT service behind RunPod's queue; `--plain`: over plain HTTP | {grace} rules |
| `tzzr conform mcp --url URL` or `-- COMMAND` | an MCP server like this one, in both protocol eras | {mcp} rules |
| `tzzr conform hst --url URL --token TOKEN` | a Directus with HST's collections | some 800 recorded requests |
| `tzzr conform fake [grace\\|hst\\|mcp\\|all]` | what this package brings, in one process, offline | all of these |

```console
$ tzzr conform fake grace --rule hasher --quiet
{hasher} rules at http://grace.tzzr.test/v2/grace
no difference in {hasher} rules
```

Nothing is written. Requests to GRACE run on the service, as any request does; `--changes` also asks what changes
something, if only a job of our own. Tools of an MCP server are called when they change nothing. A rule that cannot be
judged, because a module is down or another rule is broken already, is left out, with the reason.

- `--rule ID` asks one rule, a theme (`--rule errors`) or a pattern (`--rule 'refuses.*'`); `--list` prints them all.
- `--junit FILE` writes a test case per rule; `--json [FILE]` a JSON line per rule, with id, verdict, request and
  differences, and one at the end.
- Exit codes: 0 every rule is kept, 1 some are broken, 2 the service could not be asked.

In a request `${{RUNPOD_API_KEY}}` (or `${{reader}}`) stands for the key, which no report shows.

## How a rule is written

A rule is a function with a name and a source; its docstring is what it says:

```python
from tzzr_scenarios.conform import hold
from tzzr_scenarios.conform.grace.book import BOOK


@BOOK.rule("hasher.lower", "§4: HASHER")
async def writes_digits_in_lower_case(probe):
    \"\"\"``digest`` is written in lower case.\"\"\"
    answer = await probe.good("HASHER")
    digest = answer.given("digest", str)
    hold(answer, digest == digest.lower(), "result.digest", digest.lower(), digest)
```
"""


def conform_page() -> str:
    """How to ask, and every rule with its source."""
    lines = [_MADE, _HEAD.format(grace=len(GRACE), mcp=len(MCP), hasher=_count("hasher"))]
    lines += ["## Rules for GRACE", "", "`§` is a section of S-CONTRACT v2.1.", "", *_rules(GRACE)]
    lines += ["## Rules for MCP servers", "", *_rules(MCP)]
    return "\n".join(lines)


def _count(theme: str) -> int:
    return sum(rule.theme == theme for rule in GRACE)


def _rules(book: RuleBook[Any]) -> Iterator[str]:
    for theme, about in book.themes.items():
        yield from (f"### `{theme}`: {about}", "", "| rule | says | source |", "|---|---|---|")
        yield from (_row(rule) for rule in book if rule.theme == theme)
        yield ""


def _row(rule: Rule[Any]) -> str:
    only = f" Only {', '.join(sorted(rule.only))}." if rule.only else ""
    changes = " With `--changes`." if rule.changes else ""
    says = rule.says.replace("|", "\\|")
    return f"| `{rule.id}` | {says}{only}{changes} | {rule.source} |"

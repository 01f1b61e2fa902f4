/*
 * What the agents of the demo say. Issue 1 is a feature: its designer asks a human, who may let the fallback decide,
 * while its architect tries to ask a sibling and is refused. Its engineer asks the architect in two rounds. Then the
 * engineer meets a question that closes a cycle: the architect waits for the engineer in issue 2. The last question is
 * one that only a human can settle.
 */
export function demoScript(pace: number): string {
  const after = (seconds: number): string => `delay_ms = ${Math.round(seconds * pace * 1000)}`;
  return `
[[turns]]
agent = "product-manager"
kind = "work"
${after(1.6)}
text = "Three acceptance criteria. Audit logs are in scope."
artifacts = [{ path = "docs/prd/PRD-1.md", content = """
# Health endpoint

1. GET /health says whether the service and its database are up.
2. It answers within 100 ms.
3. Every call is written to the audit log.
""" }]

[[turns]]
agent = "ux-designer"
kind = "work"
${after(1.0)}
[[turns.open_questions]]
text = "What does the status page say while the database is slow?"
fallback = { option = "a", reasoning = "people should know", risk = "a word to take back" }
options = [
  { label = "Degraded", description = "Honest, and one state more to design.", recommended = true },
  { label = "Up", description = "It still answers." },
]

[[turns]]
agent = "ux-designer"
kind = "work"
${after(1.6)}
text = "Now I know what a slow database looks like."
artifacts = [{ path = "docs/ux/UX-1.md", content = """
# The status page

One word and one colour. What it says of a slow database was asked: see the conversation of issue 1.
""" }]

[[turns]]
agent = "architect"
issue = 1
kind = "work"
${after(1.4)}
clarify = [{ to = "ux-designer", topic = "Colours", question = "Which states does the page show?" }]

[[turns]]
agent = "architect"
issue = 1
kind = "work"
${after(1.4)}
text = "The sibling cannot be asked: three states are assumed."
artifacts = [{ path = "docs/adr/ADR-1.md", content = """
# Health endpoint

PostgreSQL. The endpoint asks the database with a query that costs nothing.
""" }]

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
${after(1.2)}
clarify = [{ to = "architect", topic = "Database layer", question = """
The ADR says PostgreSQL, local development uses SQLite.
Two adapters, or migrate everything?""" }]

[[turns]]
agent = "architect"
topic = "Database layer"
round = 1
${after(1.4)}
answer = """
Repository pattern, one adapter per environment:
SQLite for development, PostgreSQL for the rest."""

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
${after(1.0)}
clarify = [{ id = "CLR-1-001", to = "architect", topic = "Database layer", question = "Does the adapter own connection pooling, or does configuration?" }]

[[turns]]
agent = "architect"
topic = "Database layer"
round = 2
${after(1.2)}
answer = "Configuration. Pool sizes stand in one file per environment."

[[turns]]
agent = "architect"
issue = 2
kind = "work"
delay_ms = 300
clarify = [{ to = "engineer", topic = "Old keys", question = "Does the health check still send the old key?" }]

[[turns]]
agent = "engineer"
topic = "Old keys"
delay_ms = ${Math.round(2500 + 1700 * pace)}
answer = "Not since this morning: it reads the key from the environment."

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
delay_ms = ${Math.round(1200 + 600 * pace)}
resolve = [{ id = "CLR-1-001", body = "Clear: repository pattern, pooling from configuration." }]
clarify = [{ to = "architect", topic = "Which key", question = "May the endpoint be called without a key while keys are rotated?" }]

[[turns]]
agent = "architect"
topic = "Which key"
delay_ms = 3000
answer = "Yes, until the rotation is over."

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
${after(1.2)}
clarify = [{ to = "product-manager", topic = "Retention of audit logs", question = "How long are audit logs kept? 30 days is what the storage budget allows." }]

[[turns]]
agent = "product-manager"
topic = "Retention of audit logs"
round = 1
${after(1.2)}
answer = "As long as they are useful."

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
${after(1.0)}
clarify = [{ id = "CLR-1-003", to = "product-manager", topic = "Retention of audit logs", question = "A number, please: 30 days is what the storage budget allows." }]

[[turns]]
agent = "product-manager"
topic = "Retention of audit logs"
round = 2
${after(1.2)}
answer = "Compliance may want a year. I cannot promise less."

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
${after(1.0)}
clarify = [{ id = "CLR-1-003", to = "product-manager", topic = "Retention of audit logs", question = "30 days: a year does not fit into the storage budget." }]

[[turns]]
agent = "engineer"
issue = 1
kind = "work"
${after(1.6)}
text = "Endpoint, adapters and retention are in; the tests pass."
artifacts = [
  { path = "src/health.js", content = "export const health = async (database) => ({ up: await database.ping() });\\n" },
  { path = "src/retention.js", content = "// See CLR-1-003.\\nexport const RETENTION = process.env.RETENTION;\\n" },
]

[[turns]]
agent = "architect"
issue = 2
kind = "work"
${after(1.0)}
artifacts = [{ path = "docs/plans/PLAN-2.md", content = """
# Rotate the API keys

No caller holds the old key: it can be withdrawn at once.
""" }]

[[turns]]
agent = "engineer"
issue = 2
kind = "work"
${after(1.2)}
artifacts = [{ path = "src/keys.js", content = "export const key = () => process.env.API_KEY;\\n" }]

[[turns]]
agent = "reviewer"
kind = "work"
${after(1.4)}
text = "Every decision is traceable to a clarification."
review = { verdict = "approved", body = "Approved." }
artifacts = [{ path = "docs/reviews/REVIEW-1.md", content = """
# Review

Approved. CLR-1-001 decides the adapters, CLR-1-003 the retention.
""" }]
`;
}

export const FEATURE = `# How a feature is built: requirements, then design and architecture side by side, then code, then review.
# This file is yours: change it, agentx init never writes over it. Every key is explained by: agentx help workflows

[workflow]
name = "feature"
description = "Requirements, design, architecture, implementation, review"
type = "feature"

[[steps]]
id = "requirements"
title = "Write the requirements of {{title}}"
agent = "product-manager"
output = "docs/prd/PRD-{{issue_number}}.md"
status_on_start = "In Progress"

# The next two need only the requirements, so they run at the same time. They may ask upstream, never each other.
[[steps]]
id = "design"
title = "Design how {{title}} looks and behaves"
agent = "ux-designer"
needs = ["requirements"]
output = "docs/ux/UX-{{issue_number}}.md"
can_clarify = ["product-manager"]

[[steps]]
id = "architecture"
title = "Decide the architecture of {{title}}"
agent = "architect"
needs = ["requirements"]
output = "docs/adr/ADR-{{issue_number}}.md"
can_clarify = ["product-manager"]

# The engineer may ask every agent that decided something before.
[[steps]]
id = "implement"
title = "Implement {{title}} with tests"
agent = "engineer"
needs = ["design", "architecture"]
iterate = true
max_iterations = 10
completion_criteria = "Every acceptance criterion is met and the tests pass"
can_clarify = ["architect", "product-manager", "ux-designer"]
clarify_sla_minutes = 30           # no answer by then: asked once more, then handed to you
clarify_blocking_allowed = true    # the engineer may stop and wait for an answer
# clarify_max_rounds = 5           # left out: 5 rounds when blocking, 6 when not

[[steps]]
id = "review"
title = "Review {{title}}"
agent = "reviewer"
needs = ["implement"]
output = "docs/reviews/REVIEW-{{issue_number}}.md"
can_clarify = ["engineer", "architect"]
status_on_start = "In Review"
status_on_complete = "Done"
`;

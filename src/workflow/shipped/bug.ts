export const BUG = `# How a bug is fixed: first a test that shows it, then the fix, then a review.
# This file is yours: change it, agentx init never writes over it. Every key is explained by: agentx help workflows

[workflow]
name = "bug"
description = "Reproduce, fix, review"
type = "bug"

# Bugs labelled "reproduced" skip this step.
[[steps]]
id = "reproduce"
title = "Show {{title}} with a failing test"
agent = "tester"
condition = "!label:reproduced"
optional = true                    # a bug that will not show itself does not stop the fix
output = "docs/bugs/BUG-{{issue_number}}.md"
can_clarify = ["product-manager"]
status_on_start = "In Progress"

[[steps]]
id = "fix"
title = "Fix {{title}}"
agent = "engineer"
needs = ["reproduce"]
iterate = true
max_iterations = 5
completion_criteria = "The failing test passes and no other test fails"
can_clarify = ["tester", "architect", "product-manager"]
clarify_sla_minutes = 15           # bugs are urgent: an answer that takes longer is asked for once more
status_on_start = "In Progress"

[[steps]]
id = "review"
title = "Review the fix of {{title}}"
agent = "reviewer"
needs = ["fix"]
can_clarify = ["engineer", "tester"]
status_on_start = "In Review"
status_on_complete = "Done"
`;

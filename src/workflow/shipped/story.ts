export const STORY = `# How a story is built: it is small enough to go straight to code. Issues without a type: label follow this one.
# This file is yours: change it, agentx init never writes over it. Every key is explained by: agentx help workflows

[workflow]
name = "story"
description = "Implementation and review, with the architect and the product manager at hand"
type = "story"

# Agents need no step of their own to be asked: the architect and the product manager only answer here.
[[steps]]
id = "implement"
title = "Implement {{title}} with tests"
agent = "engineer"
iterate = true
max_iterations = 10
completion_criteria = "Every acceptance criterion is met and the tests pass"
can_clarify = ["architect", "product-manager"]
clarify_sla_minutes = 30           # no answer by then: asked once more, then handed to you
status_on_start = "In Progress"

[[steps]]
id = "review"
title = "Review {{title}}"
agent = "reviewer"
needs = ["implement"]
output = "docs/reviews/REVIEW-{{issue_number}}.md"
can_clarify = ["engineer", "architect", "product-manager"]
status_on_start = "In Review"
status_on_complete = "Done"
`;

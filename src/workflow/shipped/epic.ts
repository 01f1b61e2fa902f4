export const EPIC = `# How an epic is prepared: what is wanted, then how it is cut into features. The features are built on their own.
# This file is yours: change it, agentx init never writes over it. Every key is explained by: agentx help workflows

[workflow]
name = "epic"
description = "Requirements and a plan of features"
type = "epic"

[[steps]]
id = "requirements"
title = "Write the requirements of {{title}}"
agent = "product-manager"
output = "docs/prd/PRD-{{issue_number}}.md"
status_on_start = "In Progress"

[[steps]]
id = "architecture"
title = "Sketch the architecture of {{title}} and cut it into features"
agent = "architect"
needs = ["requirements"]
output = "docs/adr/ADR-{{issue_number}}.md"
can_clarify = ["product-manager"]
clarify_sla_minutes = 60           # nobody waits for code here: answers may take their time
status_on_complete = "Ready"
`;

/**
 * What the agent of a client reads in every session: when to ask, whom, and what to do while an answer is not there.
 * Tools by their own names: each client puts another prefix in front.
 */
export const INSTRUCTIONS: readonly string[] = [
  '## When something is unclear, ask through AgentX',
  '',
  'The MCP server `agentx` takes questions to the agent or the person who knows. Its tools may be listed with a prefix;',
  'if you see none of them, search your tools for "agentx".',
  '',
  '- Look first: the code, the documents, `get_issue`. Ask only what they do not answer.',
  '- Ask, do not guess, where a wrong guess costs more than a short wait: what a requirement means, two documents that',
  '  contradict each other, a choice of design that others depend on, anything that cannot be undone.',
  '- `request_clarification` asks another agent, for example the architect or the product-manager: one point in each',
  '  call, with what you found and what you would do. Say in `from` which agent you are, for example engineer.',
  '- `ask_human` asks a person: everything at once, each question with two to four options, the one that you recommend',
  '  marked, and a fallback if the choice can be undone.',
  '- A result of `pending` means that there is no answer yet. Go on with work that does not depend on it, and call',
  '  `get_question` with the id, again and again, until it is answered. Asking the same again is the same question.',
  '- What is small and can be undone: decide it yourself, and say so with `record_assumption`.',
  '- Never answer such a question in the place of the person.',
];

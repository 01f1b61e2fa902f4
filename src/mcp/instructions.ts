/**
 * What every model of a client reads about us before it calls anything. Some clients show their model only the names of
 * tools until it looks for them, so the names stand here.
 */
export const INSTRUCTIONS = `AgentX carries your questions to the agent or the human who knows, and the answers back. Ask instead of guessing.

When something you need is not said, can be read in two ways, or contradicts something else:
1. Look first: the issue (get_issue), the documents, the code, earlier answers.
2. Expensive to undo, and another agent decided it or could: request_clarification. Wait for the answer before you build on it.
3. Only a human can decide (what is wanted, money, security, what cannot be undone): ask_human, everything at once, with options and your recommendation.
4. Easy to undo: decide, call record_assumption, and go on.

A result with status "pending" has an id and says what comes next: do what does not depend on the answer, then call get_question with that id. Never ask the same again in other words, and never go on as if the answer were known.
When an answer is clear, call resolve_clarification and go on; when it is not, follow_up_clarification.
Errors have a code and say what to do. SCOPE_VIOLATION names the agents that you may ask.`;

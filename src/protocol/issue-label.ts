/** How a person reads which issue something is about. Number 0 stands for no issue. */
export function issueLabel(issueNumber: number): string {
  return issueNumber === 0 ? 'no issue' : `#${issueNumber}`;
}

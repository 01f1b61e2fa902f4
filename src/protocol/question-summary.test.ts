import { expect, it } from 'vitest';
import { titleOf } from './question-summary.js';

it('the title of a question that begins with code is the first line of the code', () => {
  const title = (text: string) => titleOf({ kind: 'open_question', questions: [{ id: 'q1', text }] });
  expect(title('```sql\nDROP TABLE orders;\n```\nShall this run?')).toBe('DROP TABLE orders;');
  expect(title('~~~\n\nrm -rf build\n~~~')).toBe('rm -rf build');
  expect(title('```\n```')).toBe('```');
  expect(title('Which of `a` and `b`?\n```\na\n```')).toBe('Which of `a` and `b`?');
});

import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { areParallel, fillTemplate, isUpstream, Workflow } from './workflow.js';

const step = (id: string, ...needs: string[]) => ({ id, title: id, agent: 'engineer', needs });
const feature = z.parse(Workflow, {
  workflow: { name: 'feature' },
  steps: [
    step('requirements'),
    step('design', 'requirements'),
    step('architecture', 'requirements'),
    step('implement', 'design', 'architecture'),
  ],
});

describe('the order of steps', () => {
  it('knows what a step needs, directly or through others', () => {
    expect(isUpstream(feature, 'requirements', 'design')).toBe(true);
    expect(isUpstream(feature, 'requirements', 'implement')).toBe(true);
    expect(isUpstream(feature, 'implement', 'requirements')).toBe(false);
    expect(isUpstream(feature, 'design', 'architecture')).toBe(false);
    expect(isUpstream(feature, 'design', 'design')).toBe(false);
  });

  it('calls two steps parallel when neither needs the other', () => {
    expect(areParallel(feature, 'design', 'architecture')).toBe(true);
    expect(areParallel(feature, 'requirements', 'implement')).toBe(false);
    expect(areParallel(feature, 'design', 'design')).toBe(false);
    expect(areParallel(feature, 'design', 'nowhere')).toBe(false);
  });

  it('ends on a cycle that was not refused', () => {
    const cyclic = { steps: feature.steps.map((each) => ({ ...each, needs: ['design', 'implement'] })) };
    expect(isUpstream(cyclic, 'requirements', 'design')).toBe(false);
  });
});

describe('placeholders', () => {
  it('are filled with number, title and slug', () => {
    const issue = { number: 42, title: 'Caf\u00e9: add $& health / endpoint!' };
    expect(fillTemplate('docs/{{issue_number}}-{{ slug }}.md', issue)).toBe('docs/42-cafe-add-health-endpoint.md');
    expect(fillTemplate('Build {{title}}', issue)).toBe('Build Caf\u00e9: add $& health / endpoint!');
  });

  it('stay as they are when they mean nothing', () => {
    expect(fillTemplate('{{unknown}} {{constructor}} {title}', { number: 1, title: 'x' })).toBe(
      '{{unknown}} {{constructor}} {title}',
    );
  });

  it.each(['../../etc/passwd', '....', '\u65e5\u672c\u8a9e', 'a'.repeat(300), '-'.repeat(70)])(
    'make a slug that is safe in a file name of %s',
    (title) => {
      expect(fillTemplate('{{slug}}', { number: 42, title })).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/);
    },
  );
});

import { AGENTS } from './repository.js';

/** One step per agent, each after the one before; `everyStep` is added to each. */
export function chain(name: string, everyStep = ''): string {
  const steps = AGENTS.map((agent, index) => {
    const needs = index === 0 ? [] : [`step-${index}`];
    return `
[[steps]]
id = "step-${index + 1}"
title = "Part ${index + 1} of {{title}}"
agent = "${agent}"
needs = ${JSON.stringify(needs)}
${everyStep}
`;
  });
  return `[workflow]\nname = "${name}"\n${steps.join('')}`;
}

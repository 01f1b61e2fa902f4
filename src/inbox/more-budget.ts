import type { Question } from '../protocol/question.js';
import { askAboutWork } from './ask-about-work.js';
import type { AskHumansPorts } from './ports.js';

export interface MoreBudgetRequest {
  readonly origin: string;
  readonly issueNumber: number;
  /** The agent whose turn would be next. */
  readonly agent: string;
  readonly what: 'cost' | 'tokens';
  readonly used: number;
  readonly limit: number;
}

/** A run has used what it may of models: a human decides whether it goes on. */
export async function askForMore(ports: AskHumansPorts, request: MoreBudgetRequest): Promise<Question> {
  const { origin, issueNumber, agent, what, used, limit } = request;
  const key = what === 'cost' ? 'max_cost' : 'max_tokens';
  const figure = (value: number) => (what === 'cost' ? String(Math.round(value * 10_000) / 10_000) : String(value));
  return askAboutWork(ports, {
    origin,
    issueNumber,
    agent,
    header: 'Budget',
    text:
      `The run of issue #${issueNumber} has used ${figure(used)} of ${what}, and ${key} in config.toml allows ` +
      `${figure(limit)}. Go on?`,
    mustChoose: true,
    options: [
      { id: 'more', label: 'Go on', description: 'It may use as much again before you are asked again.' },
      { id: 'stop', label: 'Stop the run' },
    ],
  });
}

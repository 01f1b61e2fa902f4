import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { AgentStatusFile } from './agent-status.js';
import { Assumption, AssumptionFile } from './assumption.js';
import { ClarificationLedger } from './clarification.js';
import { LockFile } from './lock-file.js';
import { ObservationFile, ObservationManifest } from './observation.js';
import { parseOpenQuestions } from './open-questions.js';
import { Interaction, OrchestratorSession, OrchestratorState } from './orchestrator.js';
import { QuestionPart } from './question.js';

const fixtures = join(import.meta.dirname, '../../test/fixtures/seeds');
const at = '2025-01-16T10:30:00Z';

const files: readonly [name: string, schema: z.core.$ZodType][] = [
  ['ledger', ClarificationLedger],
  ['lock', LockFile],
  ['agent-status', AgentStatusFile],
  ['manifest', ObservationManifest],
  ['observations', ObservationFile],
  ['assumptions', z.looseObject({ assumptions_made: z.array(Assumption) })],
  ['orchestrator-session', OrchestratorSession],
  ['open-questions', z.looseObject({ open_questions: z.array(QuestionPart) })],
];

function seed(name: string): unknown {
  return JSON.parse(readFileSync(join(fixtures, `${name}.json`), 'utf8'));
}

/** Adds an unknown field to every object, at every depth. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, field]) => [key, withUnknownFields(field)] as const);
  return { ...Object.fromEntries(fields), 'x-unknown': { kept: [1, null, 'text'] } };
}

describe('a file as a seed shows it', () => {
  it.each(files)('%s loads unchanged', (name, schema) => {
    expect(z.parse(schema, seed(name))).toEqual(seed(name));
  });

  it.each(files.filter(([name]) => name !== 'agent-status'))(
    '%s keeps unknown fields at every depth',
    (name, schema) => {
      const extended = withUnknownFields(seed(name));
      expect(z.parse(schema, extended)).toEqual(extended);
    },
  );

  it('agent-status keeps unknown fields in every entry', () => {
    const entries = Object.entries(z.parse(z.record(z.string(), z.unknown()), seed('agent-status')));
    const extended = Object.fromEntries(entries.map(([agent, entry]) => [agent, withUnknownFields(entry)]));
    expect(z.parse(AgentStatusFile, extended)).toEqual(extended);
  });

  it('assumptions make a file of an issue', () => {
    const file = { issueNumber: 42, ...z.parse(z.looseObject({}), seed('assumptions')) };
    expect(z.parse(AssumptionFile, file)).toEqual(file);
  });

  it('open questions are read from a reply', () => {
    const parts = parseOpenQuestions(seed('open-questions'), { makeId: () => 'made', now: () => at });
    expect(parts.map((part) => part.id)).toEqual(['q1', 'q2']);
  });
});

describe('the state of 002', () => {
  it('holds a session per run and refuses keys that are no run', () => {
    const state = {
      sessions: { 'run-42-1': { clarification_pending: true, clarification_requested_at: null, phase: 'x' } },
    };
    expect(z.parse(OrchestratorState, state)).toEqual(state);
    const hostile = { sessions: { constructor: state.sessions['run-42-1'] } };
    expect(z.safeParse(OrchestratorState, hostile).success).toBe(false);
  });

  it('logs interactions as pending, resolved or timeout [PM-7/4]', () => {
    const entry = { request_type: 'pm_clarification', content: 'x', user_response: null, resolved_at: null };
    for (const status of ['pending', 'resolved', 'timeout']) {
      expect(z.parse(Interaction, { ...entry, status })).toEqual({ ...entry, status });
    }
    expect(z.safeParse(Interaction, { ...entry, status: 'lost' }).success).toBe(false);
  });
});

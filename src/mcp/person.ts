import type { InputRequiredResult, InputResponseView } from '@modelcontextprotocol/server';
import { AgentXError } from '../protocol/errors.js';
import type { Question } from '../protocol/question.js';
import { toEpochMs } from '../protocol/timestamp.js';
import type { Call, Person } from './call.js';
import { answersIn, formOf } from './form.js';
import { fingerprint, refused, type State, seal, unseal } from './seal.js';
import { lookUntil } from './wait.js';

/** No person declines so soon: clients without a person decline by themselves, within milliseconds. */
const TOO_SOON_MS = 1_000;

/** The result of asking: the present question, and why it is still open; or the form for the client to show. */
export type PersonReply =
  | { readonly question: Question; readonly why?: string }
  | { readonly form: InputRequiredResult };

/**
 * Waits for a human to answer. The person at the client is asked first; without an answer there, a human may answer on
 * any other surface. The first answer counts. No answer at the client leaves the question open.
 */
export async function askPerson(call: Call, question: Question, deadline: number): Promise<PersonReply> {
  const { person } = call;
  if (question.status !== 'open') return { question };
  const returnedForm = person.form?.returned;
  const state = returnedForm === undefined ? undefined : await stateIn(call, returnedForm.state);
  // An agent that asks a human twice has a form for each question: the one that came back is for the first.
  if (returnedForm !== undefined && state?.questionId === question.id)
    return orElsewhere(call, await takeReturned(call, question, { state, response: returnedForm.response }), deadline);
  if (call.caller.isHeadless || person.known.isAway || !call.caller.client.canAsk)
    return elsewhere(call, question, deadline);
  if (person.form !== undefined) return { form: await showForm(call, person.form, question) };
  if (person.request === undefined) return elsewhere(call, question, deadline);
  return askByRequest(call, { question, request: person.request, deadline });
}

/** Stores the answer in a form that comes back after the fallback of its question, whatever its call is about by now. */
export async function keepLateAnswer(call: Call): Promise<void> {
  const { app, person } = call;
  const returnedForm = person.form?.returned;
  if (returnedForm === undefined) return;
  const state = await stateIn(call, returnedForm.state).catch(() => undefined);
  if (state === undefined || (await app.isSpent(state.nonce))) return;
  const question = await app.question(state.questionId);
  if (question?.outcome !== 'fallback_applied') return;
  await takeReturned(call, question, { state, response: returnedForm.response });
}

/** If no person is at the client, a human may still answer on another surface while the client waits. */
async function orElsewhere(call: Call, reply: PersonReply, deadline: number): Promise<PersonReply> {
  if ('form' in reply || reply.question.status !== 'open' || !call.person.known.isAway) return reply;
  return elsewhere(call, reply.question, deadline, reply.why);
}

/** Waits for answers on other surfaces. Once there is one, `why` no longer matters. */
async function elsewhere(call: Call, question: Question, deadline: number, why?: string): Promise<PersonReply> {
  const endedQuestion = await lookUntil(call, deadline, () => lookEnded(call, question.id));
  if (endedQuestion !== undefined) return { question: endedQuestion };
  return { question: await call.app.showQuestion(question.id), ...(why !== undefined && { why }) };
}

/** Undefined while it is open. The first process that looks after its time applies its fallback. */
export async function lookEnded({ app }: Call, id: string): Promise<Question | undefined> {
  const question = await app.showQuestion(id);
  if (question.status !== 'open') return question;
  const isDue = question.expiresAt !== undefined && toEpochMs(question.expiresAt) <= toEpochMs(app.clock.now());
  if (isDue) await app.completeInbox();
  return isDue ? ended(await app.showQuestion(id)) : undefined;
}

const ended = (question: Question): Question | undefined => (question.status === 'open' ? undefined : question);

async function showForm(call: Call, form: NonNullable<Person['form']>, question: Question) {
  const { person, app, caller } = call;
  const { id: questionId, revision } = question;
  const { principal } = caller;
  const shownAt = toEpochMs(app.clock.now());
  const context = { principal, tool: person.tool, args: fingerprint(person.args) };
  return form.make(
    formOf(question, person.revision),
    seal(await app.mcpSecret(), { questionId, revision, shownAt, ...context }),
  );
}

/** UNAUTHORIZED unless we gave it to this person, for this call. */
async function stateIn({ app, person, caller }: Call, sealedText: string): Promise<State> {
  const now = toEpochMs(app.clock.now());
  const context = { principal: caller.principal, tool: person.tool, args: fingerprint(person.args), now };
  return unseal(await app.mcpSecret(), sealedText, context);
}

async function takeReturned(
  call: Call,
  question: Question,
  { state, response }: { readonly state: State; readonly response: InputResponseView },
): Promise<PersonReply> {
  const { app } = call;
  const now = toEpochMs(app.clock.now());
  if (await app.isSpent(state.nonce)) throw refused('was used before');
  const action = response.kind === 'elicit' ? response.action : 'cancel';
  const content = response.kind === 'elicit' ? response.content : undefined;
  const reply = await take(call, question, { action, content, revision: state.revision, tookMs: now - state.shownAt });
  await app.spend(state.nonce);
  return reply;
}

interface ByRequest {
  readonly question: Question;
  readonly request: NonNullable<Person['request']>;
  readonly deadline: number;
}

/** Takes the form back as soon as the question has ended on another surface, or the time is over. */
async function askByRequest(call: Call, { question, request, deadline }: ByRequest): Promise<PersonReply> {
  const { app, person } = call;
  const over = new AbortController();
  const shownAt = toEpochMs(app.clock.now());
  const signal = AbortSignal.any([over.signal, call.signal]);
  const formRequest = request(formOf(question, person.revision), signal);
  const formReaction = formRequest.then(
    (reaction) => ({ reaction }),
    () => ({ reaction: undefined }), // The client could not show it, or we took it back.
  );
  const look = lookUntil({ ...call, signal }, deadline, () => lookEnded(call, question.id));
  const endedElsewhere = look.then((ended) => ({ ended }));
  const first = await Promise.race([formReaction, endedElsewhere]).finally(() => over.abort());
  if ('ended' in first) return { question: first.ended ?? (await app.showQuestion(question.id)) };
  if (first.reaction === undefined) return elsewhere(call, question, deadline);
  const tookMs = toEpochMs(app.clock.now()) - shownAt;
  const personReply = await take(call, question, { ...first.reaction, revision: question.revision, tookMs });
  return orElsewhere(call, personReply, deadline);
}

interface Reaction {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: unknown;
  /** The revision of the question that was shown. */
  readonly revision: number;
  readonly tookMs: number;
}

async function take(
  call: Call,
  question: Question,
  { action, content, revision, tookMs }: Reaction,
): Promise<PersonReply> {
  const { app, caller, person } = call;
  const { id } = question;
  if (action !== 'accept') {
    person.known.isAway ||= tookMs < TOO_SOON_MS;
    const why = person.known.isAway
      ? 'No person is at this client.'
      : 'The person at this client did not answer here. That is no decision.';
    return { question: await app.showQuestion(id), why };
  }
  const present = await app.showQuestion(id);
  if (present.status !== 'open' && present.outcome !== 'fallback_applied') return { question: present };
  const responses = answersIn(present, content);
  if (responses.length === 0) return { question: present, why: 'The form came back empty. That is no decision.' };
  const client = caller.client.name ?? 'an MCP client';
  const by = { principal: caller.principal, channel: 'mcp' as const, authority: `the form that ${client} showed` };
  try {
    return { question: (await app.answerQuestion({ id, by, revision, responses })).question };
  } catch (error) {
    if (!(error instanceof AgentXError) || (error.code !== 'CONFLICT' && error.code !== 'INVALID_INPUT')) throw error;
    const why = error.code === 'INVALID_INPUT' ? `The answer in the form was refused. ${error.message}` : undefined;
    return { question: await app.showQuestion(id), ...(why !== undefined && { why }) };
  }
}

import * as vscode from 'vscode';
import type { App } from '../../../src/app/app.js';
import { surroundings } from '../../../src/app/environment.js';
import { AgentXError } from '../../../src/protocol/errors.js';
import { issueLabel } from '../../../src/protocol/issue-label.js';
import type { AnsweredBy, Question, QuestionPart, QuestionResponse } from '../../../src/protocol/question.js';
import { unansweredParts } from '../../../src/protocol/question-answerers.js';
import { toEpochMs } from '../../../src/protocol/timestamp.js';
import { agentTitle } from '../../../src/render/conversation.js';
import { countdownText } from '../../../src/render/time.js';
import { answersLeft, wordsOf } from '../rows/answer-parts.js';
import { noticeText } from '../rows/notice-text.js';
import type { Target } from '../rows/row.js';
import { approvesPrograms } from './approve.js';
import { type Parts, projectFor } from './parts.js';
import type { Project } from './projects.js';
import { showQuestion } from './show.js';

/** Asks the person: the options, and their own words beside them. */
export async function answerQuestion(parts: Parts, target: Target | undefined): Promise<void> {
  const project = projectFor(parts, target);
  const { app } = project;
  await app.completeInbox();
  const id = target?.id ?? (await chooseQuestion(app));
  if (id === undefined) return;
  const question = await app.showQuestion(await app.findId('question', id));
  if (question.status !== 'open') {
    const how = question.outcome ?? 'answered';
    void vscode.window.showInformationMessage(`AgentX: ${question.id} has ended already: ${how.replaceAll('_', ' ')}.`);
    return;
  }
  await showQuestion(project, question.id);
  const decision = await decide(app, question);
  if (decision === undefined) return;
  const by = { principal: surroundings().principal, channel: 'vscode', authority: 'a user of this machine' } as const;
  const { revision } = question;
  const result =
    'responses' in decision
      ? await sendAnswers(app, { id: question.id, by, responses: decision.responses })
      : await (decision.end === 'decline'
          ? app.declineQuestion({ id: question.id, by, revision })
          : app.dismissQuestion({ id: question.id, by, revision }));
  for (const choice of result.choices) {
    void vscode.window.showInformationMessage(
      `AgentX: The fallback was taken before you answered. Keep what was built, or do it again? (${choice.id})`,
    );
  }
  await goOn(project, result.question);
}

interface Answers {
  readonly id: string;
  readonly by: AnsweredBy;
  readonly responses: readonly QuestionResponse[];
}

/** The person sees what was not taken, in their own words. */
async function sendAnswers(app: App, { id, by, responses }: Answers) {
  const present = await app.showQuestion(id);
  const left = answersLeft(present, responses);
  const lost = wordsOf(
    present,
    responses.filter((response) => !left.includes(response)),
  );
  if (left.length === 0) throw new AgentXError('CONFLICT', `${id} was decided meanwhile. ${lost}`, { questionId: id });
  const result = await app.answerQuestion({ id, by, responses: left }).catch((error: unknown) => {
    if (!(error instanceof AgentXError)) throw error;
    throw new AgentXError(error.code, `${error.message} ${wordsOf(present, responses)}`, error.details);
  });
  if (lost !== '')
    void vscode.window.showWarningMessage(`AgentX: Others answered a part of ${id} meanwhile. ${noticeText(lost)}`);
  return result;
}

async function chooseQuestion(app: App): Promise<string | undefined> {
  const { items } = await app.questionSummaries();
  if (items.length === 0) throw new AgentXError('NOT_FOUND', 'Nothing waits for you.');
  const now = app.clock.now();
  const choice = await vscode.window.showQuickPick(
    items.map(({ id, title, agent, issueNumber, expiresAt }) => ({
      label: noticeText(title),
      description: `${issueLabel(issueNumber)} ${agentTitle(agent)}`,
      detail:
        expiresAt === undefined
          ? id
          : `${id}, a fallback applies ${countdownText(expiresAt, { now, isRelative: true })}`,
      id,
    })),
    { title: 'AgentX: Answer Question', matchOnDetail: true },
  );
  return choice?.id;
}

type Decision = { readonly responses: readonly QuestionResponse[] } | { readonly end: 'decline' | 'dismiss' };

async function decide(app: App, question: Question): Promise<Decision | undefined> {
  const responses: QuestionResponse[] = [];
  const parts = unansweredParts(question);
  for (const [index, part] of parts.entries()) {
    const place = parts.length > 1 ? ` (${index + 1} of ${parts.length})` : '';
    const choice = await pick(app, question, part, `${agentTitle(question.askedBy.agent)} asks${place}`);
    if (choice === undefined) return undefined;
    if ('end' in choice) return choice;
    responses.push({ questionId: part.id, ...choice });
  }
  return { responses };
}

interface Item extends vscode.QuickPickItem {
  readonly optionId?: string;
  readonly words?: string;
  readonly end?: 'decline' | 'dismiss';
}

type Picked =
  | { readonly optionIds: readonly string[] }
  | { readonly answer: string }
  | { readonly end: 'decline' | 'dismiss' };

const ENDS: readonly Item[] = [
  { label: '', kind: vscode.QuickPickItemKind.Separator },
  {
    label: '$(circle-slash) I will not decide it',
    description: 'the agent goes on with an assumption',
    end: 'decline',
  },
  { label: '$(close) Put it away', description: 'it is not worth deciding', end: 'dismiss' },
];

const TYPING_MS = 10_000;

/** One part of a question. While the person types, the clock of its fallback stands still. */
function pick(app: App, question: Question, part: QuestionPart, title: string): Promise<Picked | undefined> {
  const { options = [], allowText = true, multiSelect = false } = part;
  const isText = options.length === 0;
  const box = vscode.window.createQuickPick<Item>();
  const choices = options.map((option): Item => {
    const description = option.recommended === true ? 'recommended' : '';
    const detail = option.description === undefined ? {} : { detail: noticeText(option.description) };
    return {
      label: `${noticeText(option.id)}) ${noticeText(option.label)}`,
      description,
      ...detail,
      optionId: option.id,
      alwaysShow: true,
    };
  });
  const itemsFor = (typedText: string): Item[] => {
    const words = typedText.trim();
    const own: Item[] =
      words === '' || !(allowText || isText)
        ? []
        : [
            {
              label: `$(edit) ${noticeText(words)}`,
              description: 'in your own words',
              words: typedText,
              alwaysShow: true,
            },
          ];
    return [...own, ...choices, ...(words === '' ? ENDS : [])];
  };
  box.title = `AgentX: ${title} (${question.id}, ${issueLabel(question.issueNumber)})`;
  box.placeholder = `${noticeText(part.text)}${isText ? '' : allowText ? '  Choose, or type your own answer' : '  Choose'}`;
  box.ignoreFocusOut = true;
  box.canSelectMany = multiSelect && !isText;
  box.items = itemsFor('');
  // What cannot be undone is not chosen by a mere Enter.
  if (question.consequence === 'irreversible') box.activeItems = [];
  let last = 0;
  return new Promise((resolve) => {
    const end = (choice: Picked | undefined) => {
      resolve(choice);
      box.dispose();
    };
    box.onDidChangeValue((typedText) => {
      const selectedItems = box.selectedItems;
      box.items = itemsFor(typedText);
      if (box.canSelectMany) box.selectedItems = selectedItems;
      if (question.expiresAt === undefined || toEpochMs(app.clock.now()) - last < TYPING_MS) return;
      last = toEpochMs(app.clock.now());
      // A clock that runs on is better than an answer that cannot be typed.
      app.keepAlive({ id: question.id, by: { principal: surroundings().principal } }).catch(() => {});
    });
    box.onDidAccept(() => {
      const chosenItems = box.canSelectMany ? box.selectedItems : box.activeItems.slice(0, 1);
      const [first] = chosenItems;
      if (first === undefined) return;
      const endingAct = chosenItems.find((item) => item.end !== undefined)?.end;
      if (endingAct !== undefined) return end({ end: endingAct });
      const words = chosenItems.find((item) => item.words !== undefined)?.words;
      const optionIds = chosenItems.flatMap(({ optionId }) => optionId ?? []);
      if (words !== undefined && optionIds.length === 0) return end({ answer: words });
      end(words === undefined ? { optionIds } : { optionIds, answer: words });
    });
    box.onDidHide(() => end(undefined));
    box.show();
  });
}

/** Agents that waited for the answer go on with it; a run of the issue is offered, not started. */
async function goOn(project: Project, question: Question): Promise<void> {
  const { app } = project;
  const { id, issueNumber } = question;
  if (question.status === 'open') return;
  const unfinishedRun = await app.unfinishedRun(issueNumber).catch(() => undefined);
  if (unfinishedRun !== undefined && !unfinishedRun.isCarried) {
    const run = 'Go On';
    void vscode.window
      .showInformationMessage(`AgentX: ${id} is decided. #${issueNumber} can go on.`, run)
      .then(async (choice) => {
        if (choice === run) await vscode.commands.executeCommand('agentx.run', { root: app.root, issueNumber });
      });
  }
  const waitingIds = vscode.workspace.isTrusted ? await app.whoWaitsFor(id) : [];
  if (waitingIds.length === 0 || !(await approvesPrograms(project))) return;
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true };
  await vscode.window.withProgress(
    { ...options, title: `AgentX: asking once more, ${waitingIds.join(', ')}` },
    async (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      for (const one of waitingIds) {
        await app.route(one, controller.signal).catch((error: unknown) => {
          if (!controller.signal.aborted) throw error;
        });
      }
    },
  );
}

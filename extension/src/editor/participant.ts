import * as vscode from 'vscode';
import { surroundings } from '../../../src/app/environment.js';
import { AgentXError, messageOf } from '../../../src/protocol/errors.js';
import { plainLine } from '../../../src/render/plain-text.js';
import type { ChatReply, Sink, Suggestion } from '../chat/chat.js';
import { escaped } from '../chat/markdown.js';
import { withoutProject } from '../chat/named-project.js';
import { respond } from '../chat/respond.js';
import { problemBlock } from '../chat/warn.js';
import { approvesPrograms } from './approve.js';
import type { Attention } from './attention.js';
import type { Models } from './models.js';
import type { Project, Projects } from './projects.js';

interface Parts {
  readonly projects: Projects;
  readonly models: Models;
  readonly attention: Attention;
  readonly output: vscode.LogOutputChannel;
}

/** `@agentx` in the chat. */
export function registerParticipant(parts: Parts, icon: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant('agentx.participant', (request, context, stream, token) =>
    handle(parts, request, context, stream, token),
  );
  participant.iconPath = icon;
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => suggestionsIn(metadata),
  };
  return participant;
}

async function handle(
  { projects, models, attention, output }: Parts,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const previousReply = toldBefore(context);
  const controller = new AbortController();
  const cancellation = token.onCancellationRequested(() => controller.abort());
  try {
    projects.sync();
    const { command, prompt, project: namedProject } = withoutProject(request, projects.all);
    const project = namedProject ?? projects.find(previousReply?.root) ?? projects.require();
    if (projects.all.length > 1) stream.markdown(`*${escaped(plainLine(project.name))}*\n\n`);
    const response = await projects.during(() =>
      models.during(request.model, () =>
        respond(
          {
            ...chatOf(project, stream, controller.signal),
            carries: (issueNumber) => attention.carriesInChat(project, issueNumber),
          },
          { command, prompt, before: previousReply },
        ),
      ),
    );
    return { metadata: { ...response } };
  } catch (error) {
    if (controller.signal.aborted) return { metadata: { ...previousReply } };
    if (error instanceof AgentXError) {
      stream.markdown(problemBlock(error));
      return { metadata: { ...previousReply } };
    }
    output.error(error instanceof Error ? error : String(error));
    return { metadata: { ...previousReply }, errorDetails: { message: escaped(plainLine(messageOf(error))) } };
  } finally {
    cancellation.dispose();
  }
}

function chatOf(project: Project, stream: vscode.ChatResponseStream, signal: AbortSignal) {
  return {
    app: project.app,
    sink: sinkOf(stream),
    signal,
    principal: surroundings().principal,
    isTrusted: vscode.workspace.isTrusted,
    approvesPrograms: () => approvesPrograms(project),
  };
}

/** Markdown that names no trusted command: a link in it opens nothing unasked. */
function sinkOf(stream: vscode.ChatResponseStream): Sink {
  return {
    markdown: (text) => stream.markdown(`${text}\n\n`),
    progress: (text) => stream.progress(escaped(text)),
    file: (path) => {
      stream.anchor(vscode.Uri.file(path));
      stream.markdown('\n\n');
    },
  };
}

/** What the last answer of ours in this conversation left open. */
function toldBefore({ history }: vscode.ChatContext): ChatReply | undefined {
  const last = history.findLast((turn) => turn instanceof vscode.ChatResponseTurn);
  return last instanceof vscode.ChatResponseTurn && isTold(last.result.metadata) ? last.result.metadata : undefined;
}

function isTold(metadata: unknown): metadata is ChatReply {
  return typeof metadata === 'object' && metadata !== null && 'command' in metadata && 'suggestions' in metadata;
}

function suggestionsIn(metadata: unknown): vscode.ChatFollowup[] {
  if (!isTold(metadata)) return [];
  return metadata.suggestions.map(({ label, prompt, command }: Suggestion) => ({
    label,
    prompt,
    ...(command === undefined ? {} : { command }),
  }));
}

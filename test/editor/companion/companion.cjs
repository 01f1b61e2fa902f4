'use strict';
const { createServer } = require('node:net');
const { join } = require('node:path');
const { createInterface } = require('node:readline');
const vscode = require('vscode');

/**
 * A test connects to the socket that is named after this process, and both send lines of JSON. The test sends
 * `{id, code, argument}`: the code is a function of the editor's API and the argument, and what it returns is sent back.
 * A request to the model goes the other way, and the test says what the model answers.
 */
exports.activate = async (context) => {
  const model = new ScriptedModel();
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider('companion', model));
  // The editor runs no chat participant before an extension has asked for a model.
  await vscode.lm.selectChatModels({ vendor: 'companion' });
  const server = createServer((socket) => {
    const send = (message) => socket.write(`${JSON.stringify(message)}\n`);
    // A test may end in the middle of anything.
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', async (line) => {
      const { id, code, argument, answerTo, turn, isOwner } = JSON.parse(line);
      // Other tests look at this host as well, when they search for theirs.
      if (isOwner) {
        model.listener = send;
        return;
      }
      if (answerTo !== undefined) return model.answer(answerTo, turn);
      try {
        // biome-ignore lint/security/noGlobalEval: what a test sends is run here, that is what this extension is for
        const work = globalThis.eval(`(${code})`);
        send({ id, result: await work(vscode, argument) });
      } catch (error) {
        send({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      }
    });
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    send({ hello: { pid: process.pid, folders } });
  });
  server.listen(join(process.env.AGENTX_TEST_SOCKETS, `${process.pid}.sock`));
  context.subscriptions.push({ dispose: () => server.close() });
};

/** Every request is answered by the test. */
class ScriptedModel {
  #waiting = new Map();
  #requests = 0;
  listener = () => {};

  provideLanguageModelChatInformation() {
    return [MODEL];
  }

  async provideTokenCount(_model, text) {
    return JSON.stringify(text).length;
  }

  async provideLanguageModelChatResponse(_model, messages, { tools = [] }, progress, token) {
    const id = ++this.#requests;
    const turn = await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      token.onCancellationRequested(() => resolve({}));
      this.listener({ request: id, messages: messages.map(plainMessage), tools: tools.map(({ name }) => name) });
    });
    if (turn.error !== undefined) throw new Error(turn.error);
    if (turn.text !== undefined) progress.report(new vscode.LanguageModelTextPart(turn.text));
    for (const [index, { name, input }] of (turn.calls ?? []).entries()) {
      progress.report(new vscode.LanguageModelToolCallPart(`call-${id}-${index}`, name, input));
    }
  }

  answer(id, turn) {
    this.#waiting.get(id)?.(turn);
    this.#waiting.delete(id);
  }
}

const MODEL = {
  id: 'scripted',
  name: 'Scripted',
  family: 'scripted',
  version: '1',
  maxInputTokens: 100_000,
  maxOutputTokens: 10_000,
  capabilities: { toolCalling: true },
};

function plainMessage({ role, content }) {
  const isAssistant = role === vscode.LanguageModelChatMessageRole.Assistant;
  return { role: isAssistant ? 'assistant' : 'user', parts: content.map(plainPart) };
}

function plainPart(part) {
  if (part instanceof vscode.LanguageModelToolCallPart) return { call: part.name, input: part.input };
  if (part instanceof vscode.LanguageModelToolResultPart) return { result: part.content.map(plainPart) };
  return { text: String(part.value ?? part) };
}

import { join } from 'node:path';
import { Annotation, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import type { Contender } from '../contender.js';
import { ANSWER, QUESTION } from '../work.js';

/** A graph whose only step asks a human: it is interrupted, and resumed with the answer. Every cycle is a new thread. */
const withPragma = (pragma: string | undefined): Contender => ({
  async open({ folder }) {
    const saver = SqliteSaver.fromConnString(join(folder, 'checkpoints.sqlite'));
    if (pragma !== undefined) saver.db.pragma(pragma);
    const State = Annotation.Root({ question: Annotation<string>(), answer: Annotation<string>() });
    const graph = new StateGraph(State)
      .addNode('ask', ({ question }) => ({ answer: interrupt(question) }))
      .addEdge(START, 'ask')
      .addEdge('ask', END)
      .compile({ checkpointer: saver });
    let count = 0;
    return {
      async cycle() {
        const config = { configurable: { thread_id: String(count++) } };
        await graph.invoke({ question: QUESTION }, config);
        const { answer } = await graph.invoke(new Command({ resume: ANSWER }), config);
        if (answer !== ANSWER) throw new Error('The answer did not arrive.');
      },
      close: () => saver.db.close(),
    };
  },
});

export const asItComes = withPragma(undefined);
export const withFullSync = withPragma('synchronous = FULL');

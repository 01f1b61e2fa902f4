import { type ProposalDecision, proposalsOf, propose } from '../inbox/autonomy.js';
import { isDependencyManifest } from '../inbox/dependency-manifests.js';
import type { AskHumansPorts } from '../inbox/ports.js';
import { actName } from '../protocol/origin.js';
import type { Reply } from '../protocol/reply.js';
import type { ActResult } from '../protocol/run.js';
import { originOf, type RunContext } from './context.js';
import { allOf, type Carrying, part } from './reply-part.js';

/** What a reply proposes goes ahead or waits for a human, depending on the agents' autonomy. */
export async function proposeAll(
  context: RunContext<keyof AskHumansPorts>,
  carrying: Carrying,
): Promise<readonly ActResult[]> {
  return allOf('propose', proposalsOf(carrying.reply), (_, index) =>
    part(context, actName('propose', index), {
      blocking: true,
      work: async () => {
        const { decision, question } = await decisionOn(context, carrying, index);
        const questionField = question === undefined ? {} : { questionId: question.id };
        return { blocking: decision === 'held', ...questionField };
      },
    }),
  );
}

/** Whether a file may be written yet: a dependency manifest only if every change of dependencies is approved. */
export async function mayBeWritten(
  context: RunContext<keyof AskHumansPorts>,
  carrying: Carrying,
  path: string,
): Promise<'yes' | 'later' | 'no'> {
  if (!isDependencyManifest(path)) return 'yes';
  const decisions: ProposalDecision['decision'][] = [];
  for (const [index, { kind }] of proposalsOf(carrying.reply).entries()) {
    if (kind === 'dependency') decisions.push((await decisionOn(context, carrying, index)).decision);
  }
  if (decisions.includes('rejected')) return 'no';
  return decisions.includes('held') ? 'later' : 'yes';
}

async function decisionOn(
  context: RunContext<keyof AskHumansPorts>,
  { place, reply, step }: { readonly place: Carrying['place']; readonly reply: Reply; readonly step: Carrying['step'] },
  index: number,
): Promise<ProposalDecision> {
  const { ports, issueNumber } = context;
  const proposal = proposalsOf(reply)[index];
  if (proposal === undefined) return { decision: 'automated' };
  const { kind, summary } = proposal;
  const origin = originOf(context, place, actName('propose', index));
  return propose(ports, { origin, issueNumber, agent: step.agent, kind, summary });
}

import {
  type ClarificationEvent,
  type ClarificationRequest,
  type ClarificationResult,
  openClarification,
} from '../protocol/clarification-transition.js';
import { transitions } from './change-record.js';

/** A new record, and what follows at once from asking its target. */
export function openHanded(
  request: ClarificationRequest,
  handed: readonly ClarificationEvent[],
): Pick<ClarificationResult, 'record' | 'effects'> {
  const { record: asked, effects: told } = openClarification(request);
  const { record, effects } = transitions(asked, handed);
  return { record, effects: [...told, ...effects] };
}

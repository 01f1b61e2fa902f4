import { plainLine } from '../../../src/render/plain-text.js';

/**
 * Text of others for a notification, a progress or a list to choose from. The editor makes links of `[x](command:y)`
 * there, also such that run commands, and icons of `$(x)`: a space takes both apart.
 */
export function noticeText(text: string): string {
  return plainLine(text).replaceAll('](', '] (').replaceAll('$(', '$ (');
}

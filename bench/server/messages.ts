export type ContenderName = 'ours' | 'bare';

/** Messages to the serving process, and its answers. */
export type ToServer = { readonly type: 'tell'; readonly id: string } | { readonly type: 'memory' };
export type FromServer =
  | { readonly type: 'ready'; readonly port: number; readonly token: string; readonly project: string }
  | { readonly type: 'told'; readonly at: number }
  | { readonly type: 'memory'; readonly bytes: number };

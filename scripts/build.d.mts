import type { BuildOptions } from 'esbuild';

export function ensureBuilt(): Promise<boolean>;
export function bundle(options: BuildOptions): Promise<void>;

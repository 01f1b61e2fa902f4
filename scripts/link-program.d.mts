import type { BuildOptions, TransformOptions } from 'esbuild';

interface LinkOptions {
  readonly outside: (name: string) => string | undefined;
  readonly compiler?: TransformOptions;
  readonly bundler?: BuildOptions;
}

export function bodiesOf(entry: string, options: LinkOptions): Promise<ReadonlyMap<string, string>>;
export function programText(entry: string, bodies: ReadonlyMap<string, string>, others?: string): string;
export function othersText(bodies: ReadonlyMap<string, string>): string;

/** One file of the page, in memory: there are few and they are small. */
export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly cache: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** By path. Files whose name holds a hash of their content never change. */
export function pageOfFiles(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): ReadonlyMap<string, PageFile> {
  const entries = [...files].map(([name, body]): readonly [string, PageFile] => {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const isNamedByContent = /-[A-Z0-9]{8}\.\w+$/.test(name);
    return [`/${name}`, { body, type, cache: isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache' }];
  });
  return new Map(entries);
}

/** One file of the page, in memory: there are few and they are small. */
export interface PageFile {
  readonly body: Uint8Array<ArrayBuffer>;
  /** The same, compressed by the build, for clients that take it. */
  readonly gzip?: Uint8Array<ArrayBuffer>;
  readonly type: string;
  readonly cache: string;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

const COMPRESSED = '.gz';

/** By path. Files whose name holds a hash of their content never change. */
export function pageOfFiles(files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>): ReadonlyMap<string, PageFile> {
  const names = [...files].filter(([name]) => !name.endsWith(COMPRESSED));
  const entries = names.map(([name, body]): readonly [string, PageFile] => {
    const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    const cache = /-[A-Z0-9]{8}\.\w+$/.test(name) ? 'public, max-age=31536000, immutable' : 'no-cache';
    const gzip = files.get(`${name}${COMPRESSED}`);
    return [`/${name}`, { body, type, cache, ...(gzip && { gzip }) }];
  });
  return new Map(entries);
}

/** Whether a client says, in `Accept-Encoding`, that it takes gzip. */
export function takesGzip(header = ''): boolean {
  const weights = new Map(
    header.split(',').map((part) => {
      const [coding = '', weight = 'q=1'] = part.toLowerCase().replaceAll(/\s/g, '').split(';');
      return [coding, Number(weight.replace('q=', ''))];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}

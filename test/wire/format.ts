import type { Json } from './json.js';
import type { WireFormat, WireRequest, WireTurn } from './script.js';

/** What a format needs beside the turn: names for its ids. */
export interface Told {
  readonly key: string;
  readonly model: string;
}

export interface Format {
  readonly name: WireFormat;
  matches(path: string): boolean;
  read(body: Json, path: string): Pick<WireRequest, 'model' | 'isStream' | 'tools' | 'messages'>;
  whole(turn: WireTurn, told: Told): object;
  /** The pieces of a stream, each complete. */
  stream(turn: WireTurn, told: Told): readonly string[];
  error(status: number, message: string): object;
}

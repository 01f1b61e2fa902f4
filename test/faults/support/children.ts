import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A real process that reports in lines of JSON. It is killed when the test ends, however it ends. */
export class Child<Report> {
  readonly reports: Report[] = [];
  readonly ended: Promise<Ending>;
  #hasEnded = false;
  #errors = '';
  #wake: (() => void)[] = [];

  constructor(private readonly process: ChildProcess) {
    if (process.stdout) {
      createInterface({ input: process.stdout }).on('line', (line) => {
        const report = parseLine<Report>(line);
        if (report !== undefined) this.reports.push(report);
        this.#notify();
      });
    }
    process.stderr?.on('data', (data) => {
      this.#errors += data;
    });
    process.stdin?.on('error', () => {}); // A killed child does not read on.
    this.ended = new Promise((resolve) => {
      process.on('error', (error) => {
        this.#errors += error.message;
      });
      process.on('close', (code, signal) => {
        this.#hasEnded = true;
        this.#notify();
        resolve({ code, signal });
      });
    });
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get errors(): string {
    return this.#errors;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.process.kill(signal);
  }

  send(line: string): void {
    this.process.stdin?.write(`${line}\n`);
  }

  /** No more commands: the child finishes what it is doing. */
  close(): void {
    this.process.stdin?.end();
  }

  /** Waits until the child has reported `count` things. */
  async untilReported(count: number): Promise<void> {
    while (this.reports.length < count) {
      if (this.#hasEnded) throw new Error(`A child ended after ${this.reports.length} reports. ${this.#errors}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** Waits for the end, which must be a good one. */
  async untilDone(): Promise<readonly Report[]> {
    const { code, signal } = await this.ended;
    if (code !== 0) throw new Error(`A child ended with ${code ?? signal}. ${this.#errors}`);
    return this.reports;
  }

  async untilStopped(): Promise<void> {
    while (!/^\d+ \(.*\) T/s.test(readFileSync(`/proc/${this.pid}/stat`, 'latin1'))) {
      if (this.#hasEnded) throw new Error(`A child ended instead of standing still. ${this.#errors}`);
      await sleep(5);
    }
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}

export function startChild<Report>(program: string, config: object): Child<Report> {
  return startProgram<Report>(process.execPath, [
    join(inject('faultChildren'), `${program}.mjs`),
    JSON.stringify(config),
  ]);
}

export function startProgram<Report>(program: string, args: readonly string[]): Child<Report> {
  const child = new Child<Report>(spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] }));
  onTestFinished(async () => {
    child.kill();
    await child.ended;
  });
  return child;
}

/** The last line of a killed process may be half a line: it counts as none. */
function parseLine<Report>(line: string): Report | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

import * as z from 'zod/mini';
import { findUnsound } from '../../protocol/sound-data.js';

/**
 * Whether the difference between `next` and the already checked `before` fits the schema: checking a long document
 * whole takes longer than writing it. Data is readonly, so that the very same object needs no second check. False may
 * only mean that this method cannot tell: then the caller checks all of it.
 */
export function changeFits(schema: z.core.$ZodType, next: unknown, before: unknown): boolean {
  if (isSame(next, before)) return true;
  if (schema instanceof z.ZodMiniExactOptional) return changeFits(schema.def.innerType, next, before);
  if (!isContainer(next) || !isContainer(before)) return fits(schema, next);
  // A rule about the parts together needs all of them.
  if (schema._zod.def.checks !== undefined) return false;
  if (schema instanceof z.ZodMiniArray) return Array.isArray(next) && entriesFit(schema.def.element, next, before);
  if (schema instanceof z.ZodMiniObject) return fieldsFit(schema.def.shape, next, before);
  if (schema instanceof z.ZodMiniRecord) return membersFit(schema.def, next, before);
  return fits(schema, next);
}

function fits(schema: z.core.$ZodType, value: unknown): boolean {
  return findUnsound(value) === undefined && z.safeParse(schema, value).success;
}

/** A missing value was not checked. */
function isSame(next: unknown, before: unknown): boolean {
  return next === before && next !== undefined;
}

type Container = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function entriesFit(schema: z.core.$ZodType, next: readonly unknown[], before: Container): boolean {
  // Not `every`, which skips holes.
  for (let index = 0; index < next.length; index++) if (!changeFits(schema, next[index], before[index])) return false;
  return true;
}

function fieldsFit(shape: Readonly<Record<string, z.core.$ZodType>>, next: Container, before: Container): boolean {
  for (const key in before) if (!Object.hasOwn(next, key)) return false;
  for (const key in next) {
    if (isSame(next[key], before[key])) continue;
    const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (schema === undefined || !changeFits(schema, next[key], before[key])) return false;
  }
  return !Array.isArray(next);
}

interface Members {
  readonly keyType: z.core.$ZodType;
  readonly valueType: z.core.$ZodType;
}

function membersFit({ keyType, valueType }: Members, next: Container, before: Container): boolean {
  for (const key in next) {
    if (!Object.hasOwn(before, key) && !z.safeParse(keyType, key).success) return false;
    if (!changeFits(valueType, next[key], before[key])) return false;
  }
  return !Array.isArray(next);
}

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
  const schemaOf = partsOf(schema, next, before);
  if (schemaOf === undefined) return fits(schema, next);
  return Object.entries(next).every(([key, part]) => {
    if (isSame(part, before[key])) return true;
    const partSchema = schemaOf(key);
    return partSchema !== undefined && changeFits(partSchema, part, before[key]);
  });
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

/** The schema of each part, undefined for a part that has none; undefined if the parts cannot be checked one by one. */
function partsOf(schema: z.core.$ZodType, next: Container, before: Container) {
  // A rule about the parts together needs all of them.
  if (schema._zod.def.checks !== undefined || Array.isArray(next) !== Array.isArray(before)) return undefined;
  if (schema instanceof z.ZodMiniArray) {
    const hasHoles = Object.keys(next).length !== next.length;
    return hasHoles ? undefined : () => schema.def.element;
  }
  if (schema instanceof z.ZodMiniObject) {
    const { shape }: { readonly shape: Readonly<Record<string, z.core.$ZodType>> } = schema.def;
    const hasLost = Object.keys(before).some((key) => !Object.hasOwn(next, key));
    return hasLost ? undefined : (key: string) => (Object.hasOwn(shape, key) ? shape[key] : undefined);
  }
  if (!(schema instanceof z.ZodMiniRecord)) return undefined;
  const { keyType, valueType } = schema.def;
  return (key: string) => (Object.hasOwn(before, key) || z.safeParse(keyType, key).success ? valueType : undefined);
}

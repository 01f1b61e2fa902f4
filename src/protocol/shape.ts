import type * as z from 'zod/mini';

type Value = string | number | boolean | bigint | symbol | null | undefined;

type ReadonlyShape<T> = T extends Value
  ? T
  : T extends readonly (infer Item)[]
    ? readonly ReadonlyShape<Item>[]
    : { readonly [K in keyof T as string extends K ? (unknown extends T[K] ? never : K) : K]: ReadonlyShape<T[K]> };

/**
 * The type of a schema: readonly all the way down, and without the catch-all key of a loose object. So a misspelt field
 * is a compile error, although unknown fields survive at run time.
 */
export type Shape<S extends z.core.$ZodType> = ReadonlyShape<z.output<S>>;

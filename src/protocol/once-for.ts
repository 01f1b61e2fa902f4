/** Calls a pure function once for each object, and remembers the result as long as the object lives: data never changes. */
export function onceFor<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const earlierResult = results.get(key);
    if (earlierResult !== undefined) return earlierResult.result;
    const result = make(key);
    results.set(key, { result });
    return result;
  };
}

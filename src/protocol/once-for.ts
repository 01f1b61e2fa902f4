/** Calls a pure function once for each object, and remembers the result as long as the object lives: data never changes. */
export function onceFor<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const results = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const earlier = results.get(key);
    if (earlier !== undefined) return earlier.result;
    const result = make(key);
    results.set(key, { result });
    return result;
  };
}

/** An object whose members are made when they are first used, by functions of the same names. */
export function madeWhenUsed<T extends object>(makers: { readonly [K in keyof T]: () => T[K] }): T {
  const made: T = Object.create(Object.prototype);
  for (const name in makers) {
    const get = () => {
      const value = makers[name]();
      Object.defineProperty(made, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(made, name, { get, enumerable: true, configurable: true });
  }
  return made;
}

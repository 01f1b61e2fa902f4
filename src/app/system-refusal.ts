/**
 * For surfaces: a refusal of the operating system anywhere on the way is reported like any other error of the store.
 */
export { systemRefusal } from '../storage/files/store-error.js';

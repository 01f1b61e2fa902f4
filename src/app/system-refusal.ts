/** For surfaces: what the operating system refused somewhere on the way is told like any other error of the store. */
export { systemRefusal } from '../storage/files/store-error.js';

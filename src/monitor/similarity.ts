export { saysTheSame, similarity } from '../protocol/similarity.js';

import { expect, it } from 'vitest';
import { createApp } from '../../../src/app/create-app.js';
import { initFolder } from '../../../src/app/init.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';
import { Pages } from './pages.js';

it('starts one server for a project whose page is opened twice at once', async () => {
  const { root } = initFolder({ repository: temporaryFolder() });
  const app = createApp({ root, env: {} });
  const project = { name: 'shop', root, app, folder: Object(undefined) };
  const projects = { onDidChange: () => ({ dispose: () => {} }), during: async () => {}, find: () => project };
  const pages: Pages = Reflect.construct(Pages, [projects, { error: () => {} }]);
  const links = await Promise.all([pages.serve(project), pages.serve(project)]);
  expect(links[0]).toBe(links[1]);
  await pages.close();
  expect(app.pageUrl()).toBeUndefined();
  await app.close();
});

import type { DeliveryStore } from '../../ports/store.js';
import { Deliveries, noDeliveries } from '../../protocol/delivery.js';
import { privateKind } from './document-kind.js';
import { type FilesContext, JsonFile } from './json-file.js';
import type { Layout } from './layout.js';

/** `state/notify.json` */
export function deliveriesFile(context: FilesContext, layout: Layout): DeliveryStore {
  const kind = privateKind<Deliveries>(Deliveries, 'The list of messages');
  const file = new JsonFile<Deliveries>(context, kind, layout.deliveriesFile);
  return {
    read: async () => (await file.read()) ?? noDeliveries(),
    update: (update) => file.update((current) => update(current ?? noDeliveries())),
  };
}

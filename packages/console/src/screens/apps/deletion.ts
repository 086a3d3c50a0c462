import type { DeleteQuery, Row } from '../../list/index.ts';
import { text } from '../../text/index.ts';
import { confirm } from '../../ui/index.ts';
import { hasFiles } from './record.ts';
import { appRelations } from './sources.ts';

/**
 * More of the query that deletes apps (C-APP-06, C-APP-07). Where the server keeps files for one of them, it is
 * asked whether these go too; every answer but yes keeps them (APP-035).
 */
export async function appDeleteQuery(apps: readonly Row[], isMany: boolean): Promise<DeleteQuery> {
  const places = apps.filter(hasFiles).map((app) => `${app.storage_container} (${app.name})`);
  const isWithFiles =
    places.length > 0 &&
    (await confirm({
      message: text('apps:deleteFiles'),
      impact: text('apps:deleteFilesImpact', { places: places.join(', ') }),
      confirmLabel: text('apps:deleteFilesYes'),
      danger: true,
    }));
  return { fields: '*', ...(isMany ? {} : { related: appRelations }), delete_storage: isWithFiles };
}

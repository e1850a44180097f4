// The value that a resource `r` has of a custom property, as a field of filters.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { FilterField } from '../../lists/field.ts';
import { usersAmong } from '../seen.ts';

/** The value of one property; a value that names what the viewer may not know of is none. */
export function propertyValue(ctx: Context, propertyId: string): FilterField {
  const users = usersAmong(ctx, Prisma.sql`array[pv.value::uuid]`);
  return {
    type: 'text',
    sql: Prisma.sql`(select pv.value from custom_property_value pv
      join custom_property pd on pd.workspace_id = pv.workspace_id and pd.id = pv.property_id
      where pv.workspace_id = ${ctx.workspaceId}::uuid and pv.resource_id = r.id
        and pv.property_id = ${propertyId}::uuid
        and case pd.value_type
          when 'user' then cardinality(${users}) > 0
          when 'resource' then exists (select from resource pr
            where pr.workspace_id = ${ctx.workspaceId}::uuid and pr.id = pv.value::uuid
              and ${visibleResources(ctx, 'pr')})
          else true end)`,
  };
}

// A manifest of one source, as a project uploads it.

export const manifest = JSON.stringify({
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json' },
  nodes: {},
  sources: {
    'source.shop.raw.orders': {
      ...{ unique_id: 'source.shop.raw.orders', resource_type: 'source', name: 'orders' },
      ...{ identifier: 'orders', database: 'shop', schema: 'raw', source_name: 'raw' },
    },
  },
});

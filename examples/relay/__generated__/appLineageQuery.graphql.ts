/**
 * @generated SignedSource<<a2d037a71582200f915f8344a89c4cda>>
 * @lightSyntaxTransform
 */

/* tslint:disable */
/* eslint-disable */
// @ts-nocheck

import type { ConcreteRequest } from 'relay-runtime';
export type LineageDirection = "BOTH" | "DOWNSTREAM" | "UPSTREAM" | "%future added value";
export type ResourceKind = "category" | "chart" | "collection" | "column" | "dashboard" | "dashboard_group" | "database" | "document" | "event" | "event_property" | "glossary" | "job" | "query" | "question" | "question_reply" | "schema" | "table" | "%future added value";
export type appLineageQuery$variables = {
  id: string;
};
export type appLineageQuery$data = {
  readonly lineage: {
    readonly edges: ReadonlyArray<{
      readonly sourceId: string;
      readonly targetId: string;
    }>;
    readonly nodes: ReadonlyArray<{
      readonly depth: number;
      readonly direction: LineageDirection;
      readonly resource: {
        readonly id: string;
        readonly kind: ResourceKind;
        readonly title: string;
      };
    }>;
    readonly truncatedReason: string | null | undefined;
  } | null | undefined;
};
export type appLineageQuery = {
  response: appLineageQuery$data;
  variables: appLineageQuery$variables;
};

const node: ConcreteRequest = (function(){
var v0 = [
  {
    "defaultValue": null,
    "kind": "LocalArgument",
    "name": "id"
  }
],
v1 = [
  {
    "kind": "Literal",
    "name": "depth",
    "value": 2
  },
  {
    "items": [
      {
        "kind": "Variable",
        "name": "from.0",
        "variableName": "id"
      }
    ],
    "kind": "ListValue",
    "name": "from"
  },
  {
    "kind": "Literal",
    "name": "maxNodes",
    "value": 100
  }
],
v2 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "truncatedReason",
  "storageKey": null
},
v3 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "depth",
  "storageKey": null
},
v4 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "direction",
  "storageKey": null
},
v5 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "id",
  "storageKey": null
},
v6 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "kind",
  "storageKey": null
},
v7 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "title",
  "storageKey": null
},
v8 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "sourceId",
  "storageKey": null
},
v9 = {
  "alias": null,
  "args": null,
  "kind": "ScalarField",
  "name": "targetId",
  "storageKey": null
};
return {
  "fragment": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Fragment",
    "metadata": null,
    "name": "appLineageQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "LineageGraph",
        "kind": "LinkedField",
        "name": "lineage",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "LineageNode",
            "kind": "LinkedField",
            "name": "nodes",
            "plural": true,
            "selections": [
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": null,
                "kind": "LinkedField",
                "name": "resource",
                "plural": false,
                "selections": [
                  (v5/*:: as any*/),
                  (v6/*:: as any*/),
                  (v7/*:: as any*/)
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "LineageEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              (v8/*:: as any*/),
              (v9/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ],
    "type": "Query",
    "abstractKey": null
  },
  "kind": "Request",
  "operation": {
    "argumentDefinitions": (v0/*:: as any*/),
    "kind": "Operation",
    "name": "appLineageQuery",
    "selections": [
      {
        "alias": null,
        "args": (v1/*:: as any*/),
        "concreteType": "LineageGraph",
        "kind": "LinkedField",
        "name": "lineage",
        "plural": false,
        "selections": [
          (v2/*:: as any*/),
          {
            "alias": null,
            "args": null,
            "concreteType": "LineageNode",
            "kind": "LinkedField",
            "name": "nodes",
            "plural": true,
            "selections": [
              (v3/*:: as any*/),
              (v4/*:: as any*/),
              {
                "alias": null,
                "args": null,
                "concreteType": null,
                "kind": "LinkedField",
                "name": "resource",
                "plural": false,
                "selections": [
                  {
                    "alias": null,
                    "args": null,
                    "kind": "ScalarField",
                    "name": "__typename",
                    "storageKey": null
                  },
                  (v5/*:: as any*/),
                  (v6/*:: as any*/),
                  (v7/*:: as any*/)
                ],
                "storageKey": null
              }
            ],
            "storageKey": null
          },
          {
            "alias": null,
            "args": null,
            "concreteType": "LineageEdge",
            "kind": "LinkedField",
            "name": "edges",
            "plural": true,
            "selections": [
              (v8/*:: as any*/),
              (v9/*:: as any*/),
              (v5/*:: as any*/)
            ],
            "storageKey": null
          }
        ],
        "storageKey": null
      }
    ]
  },
  "params": {
    "cacheID": "9485e6186911e60fee3840b35c0aaf8b",
    "id": null,
    "metadata": {},
    "name": "appLineageQuery",
    "operationKind": "query",
    "text": "query appLineageQuery(\n  $id: ID!\n) {\n  lineage(from: [$id], depth: 2, maxNodes: 100) {\n    truncatedReason\n    nodes {\n      depth\n      direction\n      resource {\n        __typename\n        id\n        kind\n        title\n      }\n    }\n    edges {\n      sourceId\n      targetId\n      id\n    }\n  }\n}\n"
  }
};
})();

(node as any).hash = "3ea2b384ca3ef18a1c30eeed3df1edd5";

export default node;

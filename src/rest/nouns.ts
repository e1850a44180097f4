// The list of tables of fields, by what their inputs are called.

import { integrationNoun } from '../integrations/fields.ts';
import { monitorNoun } from '../monitors/fields.ts';
import { groupNoun } from '../people/group.ts';
import { userNoun } from '../people/user.ts';
import { propertyNoun } from '../properties/definition.ts';
import { resourceNoun } from '../resources/editing/fields.ts';
import { questionNoun } from '../resources/question-fields.ts';
import { tagNoun } from '../tags/tag.ts';
import { teamNoun } from '../teams/team.ts';

/** The tables whose fields REST takes: CreateTagInput and UpdateTagInput take those of Tag. */
export const nouns = {
  CustomProperty: propertyNoun,
  Group: groupNoun,
  Integration: integrationNoun,
  Monitor: monitorNoun,
  // A question has what resources have, besides its own.
  Question: { fields: { ...resourceNoun.fields, ...questionNoun.fields } },
  Reply: resourceNoun,
  Resource: resourceNoun,
  Tag: tagNoun,
  Team: teamNoun,
  User: userNoun,
};

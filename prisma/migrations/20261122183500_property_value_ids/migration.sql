-- What names a resource in a custom property is found by the value, which is then an id: 36 characters.
CREATE INDEX "custom_property_value_id" ON "custom_property_value" ("workspace_id", "value")
  WHERE length("value") = 36;

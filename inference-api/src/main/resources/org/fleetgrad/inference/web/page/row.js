// A row of a table: a field for each column, as the service describes them. Numbers begin with their means.

import { element, part } from "./text.js";

const MOST_COLUMNS = 200;

export class Row {
  #changed;
  #told = "";
  #fields = new Map();

  /** @param changed called when the user has changed a value */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Makes the fields of a table, unless they are there. */
  meet(table) {
    const told = JSON.stringify(table ?? null);
    if (told === this.#told) {
      return;
    }
    this.#told = told;
    this.#fields.clear();
    const columns = table?.columns ?? [];
    const lines = columns.slice(0, MOST_COLUMNS).map((column, i) => this.#line(column, `column-${i}`));
    part("row-fields").replaceChildren(...lines);
    const rest = columns.length - MOST_COLUMNS;
    part("row-rest").hidden = rest <= 0 && columns.length > 0;
    part("row-rest").textContent =
      columns.length === 0
        ? "The service does not tell the columns of this table."
        : `${rest} more columns are left out: they count as missing.`;
  }

  #line({ name, kind, mean, values }, id) {
    const line = element("div");
    const label = element("label", "", name);
    label.htmlFor = id;
    const field = values ? choice(values) : element("input");
    field.id = id;
    if (!values) {
      field.type = kind === "number" ? "number" : "text";
      field.autocomplete = "off";
    }
    if (kind === "number") {
      field.step = "any";
      field.value = Number(mean.toPrecision(4));
    } else if (kind === "date") {
      field.placeholder = "2026-01-31";
    }
    field.addEventListener("input", this.#changed);
    this.#fields.set(name, { field, kind });
    line.append(label, field);
    return line;
  }

  /** Returns the row by the names of its columns; an empty field is missing. Null without fields. */
  values() {
    if (this.#fields.size === 0) {
      return null;
    }
    const row = {};
    for (const [name, { field, kind }] of this.#fields) {
      if (field.value !== "") {
        row[name] = kind === "number" ? field.valueAsNumber : field.value;
      }
    }
    return row;
  }
}

function choice(values) {
  const field = element("select");
  for (const value of ["", ...values]) {
    const option = element("option", "", value === "" ? "–" : value);
    option.value = value;
    field.append(option);
  }
  field.value = values[0];
  return field;
}

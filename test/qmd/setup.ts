/** QMD loads no model where this variable is set, to whatever value. */
delete process.env["CI"];

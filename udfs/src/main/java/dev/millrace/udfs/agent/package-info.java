/** What coding agents say and are told: templates, actions in text, how work is handed in. */
package dev.millrace.udfs.agent;

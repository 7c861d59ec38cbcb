"""Programs in B-RASP and C-RASP, and formulas of temporal logic, as pages."""

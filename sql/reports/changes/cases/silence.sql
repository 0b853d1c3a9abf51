-- A device leaves every count when the day after its last sign of life ends.
update census.app set
    window_days = 2;

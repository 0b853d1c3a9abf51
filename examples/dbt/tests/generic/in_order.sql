{# No column is greater than the next one. #}
{% test in_order(model, columns) %}
select {{ columns | join(', ') }}
from {{ model }}
where false
{%- for column in columns[1:] %}
    or {{ columns[loop.index0] }} > {{ column }}
{%- endfor %}
{% endtest %}
